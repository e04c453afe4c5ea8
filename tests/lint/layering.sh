#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who may include what: main.cpp -> <tool>_lib -> core, never a tool another, each large library in
# one named place, and no I/O, clock, environment or log in pure files.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

# Without suffix; a .hpp and a .cpp where they exist. What else does no I/O belongs here too.
pure='
src/core/duration src/core/host_name src/core/hostfile src/core/hostlist src/core/launcher_options
src/core/name_index src/core/node_times src/core/number src/core/records src/core/schedulers src/core/stats src/core/times
src/core/times_reader
src/spare_plan/curve_csv src/spare_plan/excludable src/spare_plan/explain src/spare_plan/fit
src/spare_plan/json src/spare_plan/model src/spare_plan/search src/spare_plan/slowdowns
src/spare_plan/standby/analysis src/spare_plan/standby/bytes src/spare_plan/standby/demand
src/spare_plan/standby/explain src/spare_plan/standby/given src/spare_plan/standby/json
src/spare_plan/standby/job_history src/spare_plan/standby/tell
src/spare_plan/standby/simulate/engine src/spare_plan/standby/simulate/given
src/spare_plan/standby/simulate/measures src/spare_plan/standby/simulate/power
src/spare_plan/standby/simulate/report src/spare_plan/standby/simulate/standby_rule
src/spare_plan/standby/simulate/settings src/spare_plan/standby/simulate/waiting_jobs
src/spare_plan/standby/formats/formats src/spare_plan/standby/formats/instants
src/spare_plan/standby/formats/jobcomp src/spare_plan/standby/formats/key_values
src/spare_plan/standby/formats/pbs_accounting src/spare_plan/standby/formats/pbs_fields
src/spare_plan/standby/formats/qstat_json src/spare_plan/standby/formats/sacct
src/spare_plan/standby/formats/slurm_fields src/spare_plan/standby/formats/swf
src/spare_plan/standby/apply/reconcile src/spare_plan/standby/apply/slurm_facts
src/spare_plan/standby/apply/wake_table
src/spare_plan/standby/live/cluster src/spare_plan/standby/live/decide
src/spare_plan/standby/live/given src/spare_plan/standby/live/json_value
src/spare_plan/standby/live/ledger src/spare_plan/standby/live/own_json
src/spare_plan/standby/live/pbs_json src/spare_plan/standby/live/plan_report
src/spare_plan/standby/live/read src/spare_plan/standby/live/slurm_json
src/spare_plan/standby/live/slurm_state src/spare_plan/standby/live/slurm_text
src/mpisel/checks src/mpisel/compact src/mpisel/explain src/mpisel/give_back src/mpisel/json src/mpisel/select src/mpisel/switches
src/benchrun/gather src/benchrun/plan src/benchrun/rank_command
src/cosched_exec/pause/cgroup_mounts src/cosched_exec/shell_words src/cosched_exec/task src/cosched_exec/task_file
src/cosched_exec/task_file_toml
src/cosched_exec/strategy/auto_policy src/cosched_exec/strategy/change_watch
src/cosched_exec/strategy/choose src/cosched_exec/strategy/combination_search
src/cosched_exec/strategy/estimates src/cosched_exec/strategy/fixed_policies
src/cosched_exec/strategy/known_speeds src/cosched_exec/strategy/local_search
src/cosched_exec/strategy/objective src/cosched_exec/strategy/optimum
src/cosched_exec/strategy/policy src/cosched_exec/strategy/probe
src/cosched_exec/strategy/processor_share
src/cosched_exec/strategy/scheduler src/cosched_exec/strategy/simulate
src/cosched_exec/strategy/source_policy src/cosched_exec/strategy/task_records
src/cosched_exec/strategy/speed_table src/cosched_exec/speed/reading
src/cosched_exec/speed/source_choice
src/cosched_exec/views/course src/cosched_exec/views/joblog src/cosched_exec/views/journal src/cosched_exec/views/json
src/cosched_exec/views/report src/cosched_exec/views/summary src/cosched_exec/views/timeline
src/cosched_exec/views/trace'

# allowed FILE HEADER RULE PATTERN...: complains unless the file matches one of the patterns
allowed() {
    file=$1 header=$2 rule=$3
    shift 3
    for pattern; do
        # shellcheck disable=SC2254
        case $file in $pattern) return ;; esac
    done
    complain "$file: includes $header, $rule"
}

our_files '*.cpp' '*.hpp' '*.c' '*.h' |
    xargs grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]+[">]' |
    sed -E 's/^([^:]+):[[:space:]]*#[[:space:]]*include[[:space:]]*/\1 /' >"$TMP/includes"

while read -r file header; do
    name=${header#?}
    name=${name%?}
    case $header in
    \"*)
        # Ours, by the folder of the file that includes.
        case $file in
        src/core/*)
            case $name in
            core/* | probe/shared.h) ;;
            *) complain "$file: includes $header, core includes only core" ;;
            esac ;;
        src/*/*)
            tool=${file#src/}
            tool=${tool%%/*}
            case $name in
            core/* | "$tool"/*) ;;
            *) complain "$file: includes $header, want core/ or $tool/" ;;
            esac ;;
        share/*)
            case $name in
            spare_plan/* | benchrun/* | mpisel/* | cosched_exec/*)
                complain "$file: includes $header of a tool" ;;
            esac ;;
        esac ;;
    esac
    case $name in
    CLI/*) allowed "$file" "$header" 'CLI11 belongs to main.cpp, core/cli and core/tool_main' \
        'src/*/main.cpp' src/core/cli.hpp src/core/cli.cpp src/core/tool_main.cpp ;;
    hwloc.h | hwloc/*) allowed "$file" "$header" 'hwloc belongs to core/topology.cpp' \
        src/core/topology.cpp ;;
    mpi.h) allowed "$file" "$header" 'MPI belongs to tests, bench and share, no tool links it' \
        'tests/*' 'bench/*' 'share/benchmarks/network*' 'share/examples/*' ;;
    cblas.h | openblas*) allowed "$file" "$header" 'OpenBLAS belongs to the benchmarks' \
        'share/benchmarks/*' 'bench/*' ;;
    perfmon/*) allowed "$file" "$header" 'libpfm4 belongs to cosched_exec/speed/counters.cpp' \
        src/cosched_exec/speed/counters.cpp ;;
    re2/*) allowed "$file" "$header" 'RE2 belongs to cosched_exec/speed/progress.cpp' \
        src/cosched_exec/speed/progress.cpp ;;
    zlib.h) allowed "$file" "$header" 'zlib belongs to spare_plan/standby/open.cpp' \
        src/spare_plan/standby/open.cpp ;;
    toml++/*) allowed "$file" "$header" 'toml++ belongs to cosched_exec/task_file_toml.cpp' \
        src/cosched_exec/task_file_toml.cpp ;;
    coin/* | Clp* | Coin*) allowed "$file" "$header" 'CLP belongs to cosched_exec/strategy/optimum.cpp' \
        src/cosched_exec/strategy/optimum.cpp ;;
    esac
    case $file:$name in
    src/core/cli.hpp:CLI/*) ;;
    src/*.hpp:CLI/* | src/*.hpp:fmt/* | src/*.hpp:spdlog/* | src/*.hpp:nlohmann/* | \
        src/*.hpp:boost/* | src/*.hpp:hwloc* | src/*.hpp:toml* | src/*.hpp:zlib.h | \
        src/*.hpp:cblas.h | src/*.hpp:perfmon/* | src/*.hpp:re2/* | src/*.hpp:coin/* | src/*.hpp:Clp*)
        complain "$file: includes $header, a library's header belongs into a .cpp" ;;
    esac
done <"$TMP/includes"

for stem in $pure; do
    found=0
    for file in "$stem.hpp" "$stem.cpp"; do
        [ -f "$file" ] || continue
        found=1
        grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<](iostream|fstream|cstdio|stdio\.h|unistd\.h|fcntl\.h|sys/[a-z]+\.h|ctime|time\.h|spdlog/.*|core/(fd|process|output_file|history|picture|topology|tool_main|cli)\.hpp)[">]' \
            "$file" /dev/null >>"$TMP/impure"
        grep -nE '(getenv|process_environment|(system|steady|high_resolution)_clock|clock_gettime|spdlog::|std::c(in|out|err)\b|printf)' \
            "$file" /dev/null >>"$TMP/impure"
    done
    [ $found = 1 ] || complain "$stem: listed as pure in tests/lint/layering.sh, but not there"
done
while read -r line; do complain "$line (a pure file does no I/O and knows no clock, environment or log)"; done <"$TMP/impure"

finish "$(wc -l <"$TMP/includes") include lines follow the layers"
