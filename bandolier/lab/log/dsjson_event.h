// One line of dsjson, the format of Vowpal Wabbit and its relatives, as an event
// (docs/propensities.md has the fields). Reading back what DsjsonFormat wrote gives the same
// numbers, floats bit for bit (−0 as 0).
//
//   reward         −_label_cost
//   position       _position, where it is there: the slot that was decided, from 1
//   propensity     _label_probability, always: in some logs p is not aligned with a
//   action         _labelIndex, or _label_Action − 1; both where both are there
//   probabilities  p[i] of action a[i], 0 for one that is not in a; only where this gives the
//                  action taken its propensity, within 10⁻⁵ of it
//   actions        the items of c._multi; without it, as many as a has
//   names          of actions: `id`, or else `_tag`
//   dense          c is {x: numbers, _multi: [{id: an integer's text, x: numbers}, ...]} and no
//                  more, x in every item or in none, of one length
#pragma once

#include <string_view>

#include "bandolier/lab/log/json_parser.h"
#include "bandolier/lab/log/logged_event.h"

namespace bandolier {

// Nothing, or why the line is no decision, as a note says it: rewards that found no event, events
// without a label, events of several slots. Throws LogFieldError where it is one and a field is
// missing or wrong; `out` is then half filled.
// `uniform`: propensities are 1/actions, whatever the line says.
// The parser's memory is reused.
std::string_view read_dsjson(JsonParser& parser, std::string_view line, LoggedEvent& out,
                             bool uniform = false);

// The float that was written where `number` is a text read as a double. For all floats but one,
// 7.038531e-26, this is the nearest; there the double is half-way between two.
float float_as_written(double number);

}  // namespace bandolier
