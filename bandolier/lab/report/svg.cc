#include "bandolier/lab/report/svg.h"

#include <fmt/format.h>

#include <array>

#include "bandolier/lab/report/text_table.h"

namespace bandolier {
namespace {

// Distinct for most kinds of colour blindness; the dark set is lighter.
constexpr std::array<const char*, kSeriesColours> kLight = {
    "#0b6fb8", "#d1560f", "#13875f", "#b03a8c", "#8a6a00",
    "#5b4fc4", "#c2262e", "#3f7f93", "#6f6f6f", "#7a8f1e"};
constexpr std::array<const char*, kSeriesColours> kDark = {
    "#5db3f0", "#f59a57", "#4fcf9f", "#e58cc9", "#e0c050",
    "#a79cf5", "#f2787e", "#7fc4d8", "#b5b5b5", "#bdd35a"};

std::string coordinates(const std::vector<Point>& points) {
  std::string out;
  for (const auto& p : points)
    out += fmt::format("{}{:.1f},{:.1f}", out.empty() ? "" : " ", p.x, p.y);
  return out;
}

std::string with_tooltip(std::string_view tooltip) {
  return tooltip.empty() ? "/>\n" : fmt::format("><title>{}</title>", escape_markup(tooltip));
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

double label_width(std::string_view text) { return 7.0 * static_cast<double>(display_width(text)); }

std::string series_class(std::string_view kind, std::size_t index) {
  const auto turn = index / kSeriesColours;
  return fmt::format("{} s{}{}", kind, index % kSeriesColours,
                     turn == 0   ? ""
                     : turn == 1 ? " dash"
                                 : " dot");
}

std::string figure_style() {
  std::string light, dark, classes;
  for (int i = 0; i < kSeriesColours; ++i) {
    const auto c = static_cast<std::size_t>(i);
    light += fmt::format("--s{}:{};", i, kLight[c]);
    dark += fmt::format("--s{}:{};", i, kDark[c]);
    classes += fmt::format(".s{0}{{--c:var(--s{0})}}\n", i);
  }
  return fmt::format(
             ":root{{{}--ink:#1c2430;--soft:#5d6877;--grid:#dfe4ea;--paper:#ffffff}}\n"
             "@media (prefers-color-scheme: dark){{:root{{{}--ink:#e8ebef;--soft:#9da8b6;"
             "--grid:#333c48;--paper:#14181d}}}}\n",
             light, dark) +
         classes +
         "svg.figure{font:12px system-ui,sans-serif;display:block;width:100%;height:auto}\n"
         ".label{fill:var(--ink)} .soft{fill:var(--soft)} .small{font-size:11px}\n"
         ".grid{stroke:var(--grid)} .axis{stroke:var(--soft)}\n"
         ".reference{stroke:var(--soft);stroke-dasharray:4 3}\n"
         ".line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}\n"
         ".line.dash{stroke-dasharray:6 3} .line.dot{stroke-dasharray:2 3}\n"
         ".band{fill:var(--c);opacity:.16;stroke:none}\n"
         ".fill{fill:var(--c)} .fill.dash{opacity:.65} .fill.dot{opacity:.4}\n"
         ".error{stroke:var(--ink);stroke-width:1.5}\n"
         ".spread{stroke:var(--c);stroke-width:1.5;opacity:.45}\n"
         ".named{fill:var(--c)}\n";
}

Svg::Svg(double width, double height, std::string_view title)
    : width_(width), height_(height), title_(title) {}

void Svg::line(Point from, Point to, std::string_view classes) {
  body_ +=
      fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n",
                  from.x, from.y, to.x, to.y, classes);
}

void Svg::rectangle(Point corner, double width, double height, std::string_view classes,
                    std::string_view tooltip) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\"{}{}",
      corner.x, corner.y, width, height, classes, with_tooltip(tooltip),
      tooltip.empty() ? "" : "</rect>\n");
}

void Svg::circle(Point centre, double radius, std::string_view classes, std::string_view tooltip) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"{}\"{}{}",
                       centre.x, centre.y, radius, classes, with_tooltip(tooltip),
                       tooltip.empty() ? "" : "</circle>\n");
}

void Svg::polyline(const std::vector<Point>& points, std::string_view classes) {
  body_ += fmt::format("<polyline points=\"{}\" class=\"{}\"/>\n", coordinates(points), classes);
}

void Svg::polygon(const std::vector<Point>& points, std::string_view classes) {
  body_ += fmt::format("<polygon points=\"{}\" class=\"{}\"/>\n", coordinates(points), classes);
}

void Svg::text(Point at, std::string_view content, std::string_view anchor,
               std::string_view classes) {
  body_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n",
                  at.x, at.y, anchor, classes, escape_markup(content));
}

void Svg::vertical_text(Point at, std::string_view content) {
  body_ += fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\" "
      "class=\"soft\">{}</text>\n",
      at.x, at.y, escape_markup(content));
}

std::string Svg::document(std::string_view style) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" class=\"figure\" "
      "role=\"img\" aria-label=\"{}\">\n{}{}</svg>\n",
      width_, height_, escape_markup(title_), style, body_);
}

std::string Svg::str() const { return document(""); }

std::string Svg::standalone() const {
  return document(fmt::format(
      "<style>{}</style>\n<rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper)\"/>\n",
      figure_style()));
}

}  // namespace bandolier
