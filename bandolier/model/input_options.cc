#include "bandolier/model/input_options.h"

namespace bandolier {
namespace {

using O = InputOptions;

OptionTable<O> filters_option() {
  return {{"filters", &O::filters, "inputs=patches: filters that are learnt from the images",
           between(1, 256)}};
}

}  // namespace

Words words_of(InputKind) {
  static constexpr std::string_view kWords[] = {"raw", "patches", "auto"};
  return kWords;
}

const OptionTable<InputOptions>& input_options() {
  static const OptionTable<O> table = OptionTable<O>{
      {"inputs",
       &O::inputs,
       "features as they are, or, of images, patch features learnt from the first",
       {InputKind::kRaw,
        InputKind::kPatches}}}.include(filters_option());
  return table;
}

const OptionTable<InputOptions>& automatic_input_options() {
  static const OptionTable<O> table = OptionTable<O>{
      {"inputs", &O::inputs,
       "features as they are, or, of images, patch features learnt from the first; "
       "auto: patches where model=auto"}}.include(filters_option());
  return table;
}

}  // namespace bandolier
