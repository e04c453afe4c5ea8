// SPDX-License-Identifier: BSD-3-Clause
#include "core/picture.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <string_view>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/number.hpp"
#include "core/output_file.hpp"
#include "core/process.hpp"

namespace core {

namespace {

/// A gnuplot string in single quotes: no escapes, and no backquotes, which gnuplot gives to a shell
/// when they stand in double quotes.
std::string gnuplot_string(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    out += control ? ' ' : c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

std::string_view style_of(Series::Style style) {
  switch (style) {
    case Series::Style::points:
      return "points pt 7 ps 1.2";
    case Series::Style::steps:
      return "steps lw 2";
    case Series::Style::line:
      break;
  }
  return "lines lw 2";
}

void add_range(std::string& script, char axis,
               const std::optional<std::pair<double, double>>& range) {
  if (range)
    script += fmt::format("set {}range [{}:{}]\n", axis, print_number(range->first),
                          print_number(range->second));
}

void add_marks(std::string& script, const std::vector<Mark>& marks) {
  double height = 0.95;
  for (const Mark& mark : marks) {
    script += fmt::format(
        "set arrow from {0}, graph 0 to {0}, graph 1 nohead dt 2 lc rgb '#808080'\n"
        "set label {1} at {0}, graph {2} offset 0.8,0 noenhanced\n",
        print_number(mark.x), gnuplot_string(mark.label), height);
    height -= 0.06;
  }
}

std::string_view dashes(std::size_t round) {
  static constexpr std::string_view kTypes[] = {"", " dt '-'", " dt '.'", " dt '-.'"};
  return kTypes[round % std::size(kTypes)];
}

/// The series that have points: gnuplot stops at one that has none.
std::string plot_command(const std::vector<Series>& series) {
  static constexpr std::string_view kColors[] = {"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9"};
  std::string command;
  std::size_t index = 0;
  for (const Series& one : series) {
    const std::size_t place = index++;
    if (one.points.empty()) continue;
    const std::string title =
        one.title.empty() ? "notitle" : "title " + gnuplot_string(one.title) + " noenhanced";
    command += fmt::format("{} '-' with {}{} lc rgb '{}' {}", command.empty() ? "plot" : ",",
                           style_of(one.style),
                           one.style == Series::Style::points ? std::string_view()
                                                              : dashes(place / std::size(kColors)),
                           kColors[place % std::size(kColors)], title);
  }
  return (command.empty() ? "plot NaN notitle" : command) + "\n";
}

bool ends_with_type(const std::string& path, std::string_view type) {
  return path.size() > type.size() && std::string_view(path).ends_with(type);
}

std::string terminal_of(const std::string& path, std::size_t panels) {
  constexpr std::size_t kOnePanel = 500, kOfSeveral = 240;
  const std::size_t height = panels == 1 ? kOnePanel : panels * kOfSeveral;
  if (ends_with_type(path, ".svg"))
    return fmt::format("svg size 800,{} font 'DejaVu Sans,13' background rgb 'white'", height);
  return fmt::format("pngcairo size 1000,{} font 'DejaVu Sans,12' background rgb 'white'",
                     height * 5 / 4);
}

/// gnuplot reads the script from a pipe that no other process can reach, and its picture comes back
/// through another: no file name of the user's ever enters the script.
std::string render(const std::string& script) {
  SpawnOptions options;
  options.out = Stream::pipe;
  options.in = Stream::null;
  options.own_group = true;
  const Fd file(::memfd_create("picture", MFD_CLOEXEC));
  write_all(file.get(), script, "the plot's script");
  const std::string name = fmt::format("/proc/{}/fd/{}", ::getpid(), file.get());
  Child child = spawn({"gnuplot", "--default-settings", name}, options);
  std::string image = read_all(child.out.get(), "gnuplot's output");
  if (const int status = wait_for(child); status != 0 || image.empty())
    throw Error(fmt::format("gnuplot failed with status {}", status));
  return image;
}

std::string begin_script(const std::string& terminal) {
  return "set terminal " + terminal + "\nset encoding utf8\n";
}

/// More than some ten tics would run into each other.
bool whole_tics(const Picture& picture) {
  constexpr double kMostTics = 12;
  return picture.whole_y && picture.y_range && picture.y_range->second <= kMostTics;
}

void add_points(std::string& script, const Series& series) {
  if (series.points.empty()) return;
  for (const auto& [x, y] : series.points)
    script += std::isnan(y) ? "\n" : fmt::format("{} {}\n", print_number(x), print_number(y));
  script += "e\n";
}

std::string panel_script(const Picture& picture) {
  std::string script = "set title " + gnuplot_string(picture.title) + " noenhanced\n";
  script += "set xlabel " + gnuplot_string(picture.x_label) + " noenhanced\n";
  script += "set ylabel " + gnuplot_string(picture.y_label) + " noenhanced\n";
  script += "set grid lt 1 lc rgb '#e0e0e0'\nset key noenhanced\n";
  if (picture.key_below)
    script +=
        "set key outside below center horizontal Left reverse height 0.5 samplen 1.5 font ',10'\n";
  if (picture.log_y) script += "set logscale y\n";
  add_range(script, 'x', picture.x_range);
  add_range(script, 'y', picture.y_range);
  script += whole_tics(picture) ? "set ytics 1\n" : "set ytics autofreq\n";
  add_marks(script, picture.marks);
  script += plot_command(picture.series);
  for (const Series& one : picture.series) add_points(script, one);
  return script;
}

}  // namespace

std::string gnuplot_script(const Picture& picture, const std::string& terminal) {
  return begin_script(terminal) + panel_script(picture);
}

std::string gnuplot_script(std::span<const Picture> panels, const std::string& terminal) {
  std::string script = begin_script(terminal);
  script += fmt::format("set multiplot layout {},1\nset lmargin 12\nset rmargin 3\nset tmargin 2\n",
                        panels.size());
  for (const Picture& panel : panels)
    script += panel_script(panel) + "unset label\nunset arrow\nset autoscale\nunset logscale\n";
  return script + "unset multiplot\n";
}

void check_picture_path(const std::string& path) {
  if (path.starts_with('|') || path.starts_with('<'))
    throw Error(fmt::format("--plot: {} is refused: the name of a picture does not start with "
                            "'|' or '<'",
                            core::quoted(path)),
                ExitStatus::usage);
  if (!ends_with_type(path, ".svg") && !ends_with_type(path, ".png"))
    throw Error(fmt::format("--plot: {} ends neither in .svg nor in .png", core::quoted(path)),
                ExitStatus::usage);
}

namespace {

/// Calls what runs gnuplot, and names the package when there is none.
template <class Work>
auto with_gnuplot(const Work& work) {
  try {
    return work();
  } catch (const Error& e) {
    if (std::string_view(e.what()).find("No such file") == std::string_view::npos) throw;
    throw Error("--plot needs gnuplot: install the Debian package gnuplot-nox");
  }
}

void write_rendered(const std::string& script, const std::string& path) {
  OutputFile file(path);
  file.stream() << with_gnuplot([&] { return render(script); });
  file.commit();
}

}  // namespace

void check_gnuplot() {
  constexpr double kPatience = 30;  // s
  with_gnuplot([] { return capture({"gnuplot", "--version"}, kPatience).status; });
}

void write_picture(const Picture& picture, const std::string& path) {
  check_picture_path(path);
  write_rendered(gnuplot_script(picture, terminal_of(path, 1)), path);
}

void write_picture(std::span<const Picture> panels, const std::string& path) {
  check_picture_path(path);
  write_rendered(gnuplot_script(panels, terminal_of(path, panels.size())), path);
}

}  // namespace core
