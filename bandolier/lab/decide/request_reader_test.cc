#include "bandolier/lab/decide/request_reader.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"
#include "bandolier/model/schema_encoder.h"
#include "bandolier/model/slot_encoder.h"
#include "testing/errors.h"

namespace bandolier {
namespace {

SchemaEncoder encoder() {
  FeatureSchema schema;
  FeatureColumn age, plan;
  age.name = "age";
  plan.name = "plan";
  plan.words = {"1", "2"};
  schema.columns = {age, plan};
  return SchemaEncoder(schema);
}

std::vector<std::string> values(const NamedValues& of) {
  std::vector<std::string> out;
  for (Index i = 0; i < of.size(); ++i) {
    out.push_back(of[i].word.empty() ? fmt::format("{}:{}", of[i].name, of[i].number)
                                     : std::string(of[i].feature));
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(RequestReader, ReadsJsonLines) {
  const auto known = encoder();
  RequestReader reader(
      text_input(
          "\n  {\"id\": \"r1\", \"context\": {\"age\": 31, \"plan\": \"2\"}}\n"
          "{\"id\": 7, \"reward\": 0.5}\n"
          "{\"context\": {}, \"action\": \"a\", \"reward\": 1}\n"
          "{\"id\": 8, \"context\": [1, 2], \"actions\": [\"a\", {\"id\": 3, \"price\": 4}]}",
          "in"),
      known);
  Request request;
  ASSERT_TRUE(reader.next(request));
  EXPECT_EQ(request.id, "\"r1\"");
  EXPECT_TRUE(request.has_context);
  EXPECT_EQ(values(request.context), (Texts{"age:31", "plan=2"}));
  ASSERT_TRUE(reader.next(request));
  EXPECT_EQ(request.id, "7");
  EXPECT_FALSE(request.has_context);
  EXPECT_EQ(request.reward, 0.5f);
  ASSERT_TRUE(reader.next(request));
  EXPECT_EQ(request.id, "4") << "its line";
  EXPECT_FALSE(request.has_id);
  EXPECT_EQ(request.action, "a");
  ASSERT_TRUE(reader.next(request));
  EXPECT_EQ(values(request.context), (Texts{"x[0]:1", "x[1]:2"}));
  EXPECT_EQ(request.actions, (Texts{"a", "3"}));
  EXPECT_EQ(values(request.of_actions[1]), Texts{"price:4"});
  EXPECT_FALSE(reader.next(request));
}

TEST(RequestReader, ReadsATableWithOrWithoutIdsAndRewards) {
  const auto known = encoder();
  RequestReader reader(text_input("id,age,colour,plan,reward\n"
                                  "a,31,red,1,\n"
                                  "b,NA,blue,\"2\",0.25\n",
                                  "in"),
                       known);
  EXPECT_EQ(reader.unknown_columns(), Texts{"colour"});
  Request request;
  ASSERT_TRUE(reader.next(request));
  EXPECT_EQ(request.id, "\"a\"");
  EXPECT_EQ(values(request.context), (Texts{"age=31", "plan=1"})) << "words, which a schema reads";
  EXPECT_FALSE(request.reward);
  ASSERT_TRUE(reader.next(request));
  EXPECT_EQ(values(request.context), Texts{"plan=2"});
  EXPECT_EQ(request.reward, 0.25f);
  EXPECT_FALSE(reader.next(request));

  const SlotEncoder open(SlotEncoderOptions{16});
  RequestReader all(text_input("age;colour\n31;red\n", "in"), open);
  ASSERT_TRUE(all.next(request));
  EXPECT_EQ(values(request.context), (Texts{"age:31", "colour=red"}));
}

TEST(RequestReader, NamesTheLineThatIsWrongAndGoesOnBehindIt) {
  const auto known = encoder();
  RequestReader reader(text_input("{\"id\": 1}\n"
                                  "{\"age\": 31}\n"
                                  "{\"reward\": 1}\n"
                                  "{\"id\": 1, \"reward\": 1e99}\n"
                                  "{\"id\": 1, \"context\": {}, \"action\": \"a\"}\n"
                                  "{broken\n"
                                  "{\"id\": 2, \"reward\": 1}\n",
                                  "in"),
                       known);
  Request request;
  const auto error = [&] { return testing::error_of([&] { reader.next(request); }); };
  EXPECT_EQ(error(), "in line 1: found neither a context nor a reward: expected one of them");
  EXPECT_NE(error().find("in line 2: found \"age\": expected id, context"), std::string::npos);
  EXPECT_NE(error().find("in line 3: a reward without an id"), std::string::npos);
  EXPECT_NE(error().find("in line 4: the reward is"), std::string::npos);
  EXPECT_NE(error().find("in line 5: an action that was taken, and no reward"), std::string::npos);
  EXPECT_NE(error().find("in line 6: expected a JSON object"), std::string::npos);
  ASSERT_TRUE(reader.next(request));
  EXPECT_EQ(request.id, "2");
  EXPECT_FALSE(reader.broken());
}

TEST(RequestReader, EndsWhereTheTextItselfIsBroken) {
  const auto known = encoder();
  RequestReader reader(text_input("age,plan\n1,\"open\n2,1\n", "in"), known);
  Request request;
  EXPECT_THROW(reader.next(request), Error);
  EXPECT_TRUE(reader.broken());
  EXPECT_THROW(RequestReader(text_input("a,b\n1,2\n", "in"), known), Error) << "nothing known";
  EXPECT_THROW(RequestReader(text_input("age,age\n1,2\n", "in"), known), Error);
}

}  // namespace
}  // namespace bandolier
