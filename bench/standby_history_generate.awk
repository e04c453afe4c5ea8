# SPDX-License-Identifier: BSD-3-Clause
# mawk -v jobs=N -v format=swf|sacct|jobcomp|pbs-accounting -f this: a history of N jobs, most of them
# narrow and often a power of two wide; times are epoch seconds.
function date(t) { return strftime("%Y-%m-%dT%H:%M:%S", t) }
BEGIN {
    srand(1)
    submit = 1700000000
    if (format == "sacct")
        print "JobIDRaw|Submit|Eligible|Start|End|ReqNodes|NNodes|AllocNodes|State|TimelimitRaw|ElapsedRaw|Partition"
    for (i = 1; i <= jobs; ++i) {
        submit += int(-60 * log(1 - rand()))
        nodes = int(exp(5 * rand() * rand()))
        if (rand() < 0.75) nodes = 2 ^ int(log(nodes) / log(2))
        run = int(-3600 * log(1 - rand()))
        start = submit + int(100 * rand())
        if (format == "swf")
            printf "%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 -1 1 1 -1 -1\n", i, submit, start - submit, run, nodes, nodes, 2 * run, i % 99
        else if (format == "sacct")
            printf "%d|%d|%d|%d|%d|%d|%d|%d|COMPLETED|%d|%d|batch\n", i, submit, submit, start, start + run, nodes, nodes, nodes, run / 30, run
        else if (format == "jobcomp")
            printf "JobId=%d UserId=u%d(%d) GroupId=g(100) Name=job%d JobState=COMPLETED Partition=batch TimeLimit=%d StartTime=%s EndTime=%s NodeList=n[1-%d] NodeCnt=%d ProcCnt=%d WorkDir=/home/u%d ReservationName= Tres=cpu=%d,node=%d Account= QOS= WcKey= Cluster=unknown SubmitTime=%s EligibleTime=%s DerivedExitCode=0:0 ExitCode=0:0 \n", i, i % 99, i % 99, i, run / 30, date(start), date(start + run), nodes, nodes, nodes * 4, i % 99, nodes * 4, nodes, date(submit), date(submit)
        else {
            hosts = ""
            for (k = 0; k < nodes; ++k) hosts = hosts (k ? "+" : "") "n" k "/0*4"
            printf "12/01/2026 16:10:10;E;%d.pbs;user=u%d jobname=job%d queue=workq ctime=%d qtime=%d etime=%d start=%d exec_host=%s Resource_List.ncpus=%d Resource_List.nodect=%d Resource_List.select=%d:ncpus=4 Resource_List.walltime=10:00:00 session=7 end=%d Exit_status=0 resources_used.walltime=01:00:00\n", i, i % 99, i, submit, submit, submit, start, hosts, 4 * nodes, nodes, nodes, start + run
        }
    }
}
