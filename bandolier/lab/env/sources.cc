#include "bandolier/lab/env/sources.h"

#include "bandolier/core/find_named.h"
#include "bandolier/lab/env/data_folder.h"

namespace bandolier {
namespace {

const std::string kUci = "https://archive.ics.uci.edu/ml/machine-learning-databases/";
const std::string kMnist = "https://ossci-datasets.s3.amazonaws.com/mnist/";

}  // namespace

std::filesystem::path DataSet::place(std::size_t i) const {
  const DataFile& file = files[i];
  return (folder.empty() ? data_folder() : folder) /
         (file.file + (file.packing == Packing::kGzip ? ".gz" : ""));
}

std::filesystem::path DataSet::find(std::size_t i) const {
  return find_plain_or_gzipped(folder.empty() ? data_folder() : folder, files[i].file);
}

const std::vector<DataSet>& data_sets() {
  using enum Packing;
  static const std::vector<DataSet> sets = {
      {"shuttle",
       "UCI Statlog (Shuttle), training part",
       "CC BY 4.0",
       "",
       "",
       {{"uci/shuttle.trn", kUci + "statlog/shuttle/shuttle.trn.Z", kCompress, 1153518,
         "87b24ee9fb5137e1d417659cf905d84d0e15342bbaa60770f1ae83da1a38200a"}}},
      {"covertype",
       "UCI Covertype",
       "CC BY 4.0",
       "",
       "",
       {{"uci/covtype.data", kUci + "covtype/covtype.data.gz", kGzip, 0, ""}}},
      {"adult",
       "UCI Adult (Census Income), training part",
       "CC BY 4.0",
       "",
       "",
       {{"uci/adult.data", kUci + "adult/adult.data", kNone, 3974305,
         "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"}}},
      {"mushroom",
       "UCI Mushroom (Agaricus and Lepiota)",
       "CC BY 4.0",
       "",
       "",
       {{"uci/agaricus-lepiota.data", kUci + "mushroom/agaricus-lepiota.data", kNone, 0, ""}}},
      {"movielens",
       "MovieLens-100k ratings",
       "GroupLens: research, no redistribution",
       "",
       "",
       {{"ml-100k/u.data", "https://files.grouplens.org/datasets/movielens/ml-100k/u.data", kNone,
         1979173, "06416e597f82b7342361e41163890c81036900f418ad91315590814211dca490"}}},
      {"mnist",
       "MNIST digits, training and test parts",
       "CC BY-SA 3.0",
       "",
       "",
       {{"mnist/train-images-idx3-ubyte", kMnist + "train-images-idx3-ubyte.gz", kGzip, 47040016,
         "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
        {"mnist/train-labels-idx1-ubyte", kMnist + "train-labels-idx1-ubyte.gz", kGzip, 60008,
         "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
        {"mnist/t10k-images-idx3-ubyte", kMnist + "t10k-images-idx3-ubyte.gz", kGzip, 7840016,
         "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
        {"mnist/t10k-labels-idx1-ubyte", kMnist + "t10k-labels-idx1-ubyte.gz", kGzip, 10008,
         "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}}},
      {"fashion-mnist",
       "Fashion-MNIST, training and test parts",
       "MIT",
       kFashionFolder,
       "install Debian's package dataset-fashion-mnist",
       {{"train-images-idx3-ubyte", "", kGzip, 47040016, ""},
        {"train-labels-idx1-ubyte", "", kGzip, 60008, ""},
        {"t10k-images-idx3-ubyte", "", kGzip, 7840016, ""},
        {"t10k-labels-idx1-ubyte", "", kGzip, 10008, ""}}},
      {"paper",
       "5,000 rows each of shuttle, covertype and adult, as the paper's code drew them",
       "CC BY 4.0",
       "",
       "bench/released/rows.py brings them from the authors' repository",
       {{"paper/shuttle.csv", "", kGzip, 586305,
         "ae4b102b0f22c0f9d89cbe088d0a3d500462ae4379894eee89fe2d39b97f3240"},
        {"paper/covertype.csv", "", kGzip, 3483904,
         "ef4132249a411ceb4cf023080d4a807e63ad3180f9694f31e5c3cd0bb966d3ec"},
        {"paper/adult.csv", "", kGzip, 5855372,
         "5000c9bd687c4f0622bcbbe82bdac2fcaae09450ae92659435a247bcdba7d116"}}}};
  return sets;
}

const DataSet& find_data_set(const std::string& name) {
  return find_named(data_sets(), name, "data set");
}

}  // namespace bandolier
