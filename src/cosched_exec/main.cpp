// SPDX-License-Identifier: BSD-3-Clause
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>

#include "core/cli.hpp"
#include "core/tool_main.hpp"

int main(int argc, char** argv) {
  constexpr int kOwnFailure = 125;
  CLI::App app{"Run several programs on one node, steered by their measured speeds.",
               "cosched_exec"};
  app.allow_extras();
  return core::run_tool(app, core::split_at_dashes(argc, argv).own, [] {
    spdlog::error("this version cannot run tasks yet");
    return kOwnFailure;
  });
}
