#include "bandolier/lab/report/html_page.h"

#include <fmt/format.h>

#include "bandolier/lab/report/svg.h"

namespace bandolier {
namespace {

constexpr const char* kStyle = R"(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1120px;margin:0 auto;padding:24px 20px 64px}
h1{font-size:1.9rem;line-height:1.2;margin:.2em 0 .3em;letter-spacing:-.01em}
h2{font-size:1.35rem;margin:2.2em 0 .4em;padding-top:.6em;border-top:1px solid var(--grid)}
h3{font-size:1.05rem;margin:1.6em 0 .4em}
p{margin:.5em 0;max-width:75ch}
.lead{color:var(--soft);font-size:1.05rem}
.soft-text{color:var(--soft);font-size:.9rem}
pre{background:color-mix(in srgb,var(--ink) 6%,var(--paper));border-radius:8px;padding:12px 14px;
 font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
code{font:.92em ui-monospace,monospace;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:.8em 0}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{padding:6px 12px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0}
td:first-child{font-weight:600}
thead th{color:var(--soft);font-weight:500;vertical-align:bottom}
td small{color:var(--soft)}
.chip{display:inline-block;width:11px;height:11px;border-radius:3px;background:var(--c);
 margin-right:8px;vertical-align:baseline}
.chip.dash{opacity:.65}.chip.dot{opacity:.4}
.badge{display:inline-block;border-radius:999px;padding:2px 12px;font-size:.85rem;font-weight:600}
.honest{background:color-mix(in srgb,var(--s2) 18%,var(--paper))}
.leaky,.failed{background:color-mix(in srgb,var(--s6) 22%,var(--paper))}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));gap:20px;
 margin:14px 0}
figure{margin:0;padding:10px 8px;border:1px solid var(--grid);border-radius:10px;min-width:0}
.claim{padding:10px 14px;border:1px solid var(--grid);border-left:5px solid var(--c);
 border-radius:8px;margin:8px 0;max-width:85ch}
summary{cursor:pointer;color:var(--soft)}
ul{padding-left:1.2em;margin:.4em 0}
@media (max-width:600px){main{padding:14px 12px 40px}h1{font-size:1.5rem}
 table{font-size:.84rem}th,td{padding:5px 8px}}
)";

}  // namespace

std::string HtmlTable::str() const {
  std::string out = "<div class=\"scroll\"><table><thead><tr>";
  for (const auto& title : titles) out += fmt::format("<th scope=\"col\">{}</th>", title);
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const auto& cell : row) out += fmt::format("<td>{}</td>", cell);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

void HtmlPage::heading(int level, std::string_view text) {
  body_ += fmt::format("<h{0}>{1}</h{0}>\n", level, escape_markup(text));
}

void HtmlPage::paragraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escape_markup(text));
}

void HtmlPage::code(std::string_view text) {
  body_ += fmt::format("<pre>{}</pre>\n", escape_markup(text));
}

void HtmlPage::figures(const std::vector<std::string>& svgs) {
  body_ += "<div class=\"figures\">\n";
  for (const auto& svg : svgs) body_ += fmt::format("<figure>{}</figure>\n", svg);
  body_ += "</div>\n";
}

std::string HtmlPage::str() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n"
      "</html>\n",
      escape_markup(title_), figure_style(), kStyle, body_);
}

}  // namespace bandolier
