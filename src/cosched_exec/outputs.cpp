// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/outputs.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <functional>

#include "core/error.hpp"
#include "core/picture.hpp"

namespace cosched_exec {

namespace {

/// What cannot be written is found before anything is started.
void open(std::optional<core::OutputFile>& file, const char* option, const std::string& path) {
  if (path.empty()) return;
  try {
    file.emplace(path);
  } catch (const core::Error& e) {
    throw core::Error(fmt::format("{}: {}", option, e.what()));
  }
}

/// That there is gnuplot, and a place for its picture.
void check_plot(const std::string& path) {
  if (path.empty()) return;
  core::check_picture_path(path);
  std::optional<core::OutputFile> tried;
  open(tried, "--plot", path);
  core::check_gnuplot();
}

bool attempt(const char* option, const std::function<void()>& writing) {
  try {
    writing();
    return true;
  } catch (const core::Error& e) {
    spdlog::error("{}: {}", option, e.what());
    return false;
  }
}

}  // namespace

Outputs::Outputs(const Options& options) : options_(options) {
  try {
    check_plot(options.plot);
    open(trace_, "--trace", options.trace);
    open(joblog_, "--joblog", options.joblog);
    open(timeline_, "--timeline", options.timeline);
    open(json_, "--json", options.json);
  } catch (const core::Error& e) {
    throw core::Error(e.what(), core::ExitStatus::usage);
  }
}

void Outputs::trace(const std::vector<Task>& tasks, const Event& event) {
  if (!trace_) return;
  write_trace(trace_->stream(), tasks, event);
  trace_->stream().flush();
}

bool Outputs::write(const std::vector<Task>& tasks, const Supervised& supervised,
                    const Report& report, const Course& course) {
  bool written = true;
  const auto complete = [&](std::optional<core::OutputFile>& file, const char* option,
                            const auto& writing) {
    if (!file) return;
    written &= attempt(option, [&] {
      writing(file->stream());
      file->commit();
    });
  };
  if (supervised.failure.empty()) complete(trace_, "--trace", [](std::ostream&) {});
  complete(joblog_, "--joblog", [&](std::ostream& out) { write_joblog(out, tasks, supervised); });
  complete(json_, "--json",
           [&](std::ostream& out) { write_json(out, tasks, options_, supervised, report); });
  complete(timeline_, "--timeline", [&](std::ostream& out) { write_timeline(out, tasks, course); });
  if (!options_.plot.empty())
    written &=
        attempt("--plot", [&] { write_plot(options_.plot, tasks, options_.strategy, course); });
  if (!supervised.failure.empty()) break_off();
  return written;
}

void Outputs::break_off() {
  for (std::optional<core::OutputFile>* const file : {&joblog_, &timeline_, &json_})
    if (*file) (*file)->discard();
  if (!trace_) return;
  if (const std::string kept = trace_->keep_partial(); !kept.empty())
    spdlog::warn("the trace broke off; what there is of it is in {}", kept);
}

}  // namespace cosched_exec
