// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace core {

struct Series {
  std::string title;                              ///< empty: not in the key
  std::vector<std::pair<double, double>> points;  ///< x ascending; a y of NaN breaks the line
  enum class Style { line, points, steps } style = Style::line;
};

struct Mark {  ///< a labelled vertical line
  double x = 0;
  std::string label;
};

struct Picture {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::vector<Mark> marks;
  std::optional<std::pair<double, double>> x_range, y_range;
  bool log_y = false;
  bool whole_y = false;    ///< y counts something
  bool key_below = false;  ///< below the plot, where it hides nothing; for many series
};

/// The gnuplot program text for the picture; every text is escaped. Pure.
std::string gnuplot_script(const Picture& picture, const std::string& terminal);

/// Several pictures below each other, their x axes aligned. At least one. Pure.
std::string gnuplot_script(std::span<const Picture> panels, const std::string& terminal);

/// Renders to PATH (.svg or .png; anything else, or a name starting with '|' or '<', is a usage
/// Error). Written by the rules of -o. No gnuplot: an Error that names the Debian package.
void write_picture(const Picture& picture, const std::string& path);
void write_picture(std::span<const Picture> panels, const std::string& path);
/// The checks on PATH alone, to be made before the work.
void check_picture_path(const std::string& path);
/// Throws the Error of write_picture when there is no gnuplot, for before a long work.
void check_gnuplot();

}  // namespace core
