// What a user is told when something goes wrong.
#pragma once

#include <string>

#include "bandolier/core/error.h"

namespace bandolier::testing {

// The message of the Error that `call` throws; "" if it throws none.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace bandolier::testing
