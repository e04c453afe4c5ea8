# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Who may log in, with which settings: files that the nodes see in place of the machine's /etc.
# Nothing of this changes the machine: neither its accounts nor root's home.

# The least number from 20000 that is nobody's, as user and as group.
free_id() {
    local id=20000
    while getent passwd "$id" >/dev/null || getent group "$id" >/dev/null; do ((id++)); done
    echo "$id"
}

make_etc() {
    local etc=$STATE/etc id=$USER_ID home=$STATE/home name
    {
        echo "root:*:0:0:root:$home/root:/bin/bash"
        grep -v -e '^root:' -e "^$USER_NAME:" /etc/passwd
        echo "$USER_NAME:*:$id:$id:a user of the cluster:$home/$USER_NAME:/bin/bash"
    } >"$etc/passwd"
    { grep -v "^$USER_NAME:" /etc/group; echo "$USER_NAME:x:$id:"; } >"$etc/group"
    (umask 077; cut -d: -f1 "$etc/passwd" | sed 's/$/:*:::::::/' >"$etc/shadow")
    # A name that is not in these files is not there at all: nobody is asked over the network.
    printf '%s: files\n' passwd group shadow hosts services protocols >"$etc/nsswitch.conf"
    {
        echo "127.0.0.1 localhost"
        echo "$LOGIN_ADDRESS login"
        for name in $(all_hosts); do echo "$NETWORK.${name#n} $name"; done
    } >"$etc/hosts"
    all_hosts | sed "s/\$/ slots=$SLOTS/" >"$STATE/hostfile"
}

make_sshd_config() {
    ssh-keygen -q -t ed25519 -N '' -C hosts -f "$STATE/etc/host_key" || die "cannot make a key"
    echo "* $(cut -d' ' -f1,2 "$STATE/etc/host_key.pub")" >"$STATE/etc/known_hosts"
    cat >"$STATE/etc/sshd_config" <<CONF
HostKey $STATE/etc/host_key
PidFile none
UsePAM no
StrictModes no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitUserEnvironment yes
UseDNS no
MaxStartups 500
MaxSessions 500
PrintMotd no
PrintLastLog no
CONF
}

# make_home USER : keys, the environment of every session, Open MPI's settings
make_home() {
    local user=$1 home=$STATE/home/$1
    mkdir -p "$home/.ssh" "$home/.openmpi"
    ssh-keygen -q -t ed25519 -N '' -C "$user" -f "$home/.ssh/id_ed25519" || die "cannot make a key"
    cp "$home/.ssh/id_ed25519.pub" "$home/.ssh/authorized_keys"
    cat >"$home/.ssh/config" <<CONF
Host *
    IdentitiesOnly yes
    IdentityFile $home/.ssh/id_ed25519
    UserKnownHostsFile $STATE/etc/known_hosts
    GlobalKnownHostsFile none
    StrictHostKeyChecking yes
    BatchMode yes
    LogLevel ERROR
CONF
    cat >"$home/.ssh/environment" <<CONF
HOME=$home
USER=$user
LOGNAME=$user
SHELL=/bin/bash
PATH=$STATE/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C.UTF-8
SLURM_CONF=$STATE/slurm/etc/slurm.conf
CONF
    if [[ $user == root ]]; then
        # Open MPI refuses to run as root without these two.
        printf '%s=1\n' OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
            >>"$home/.ssh/environment"
    fi
    cat >"$home/.openmpi/mca-params.conf" <<CONF
# As on a real cluster: one network for messages and for control.
btl_tcp_if_include = eth0
oob_tcp_if_include = eth0
# Because the hosts share the machine's cores: binding would put the first rank of every host on
# the same core, and a rank that waits must give way.
hwloc_base_binding_policy = none
mpi_yield_when_idle = 1
# Because the hosts share /tmp: a killed host leaves nothing in it.
orte_tmpdir_base = /dev/shm
CONF
    chmod 700 "$home/.ssh"
}

make_accounts() {
    mkdir -p "$STATE/etc" "$STATE/home"
    make_etc
    make_sshd_config
    make_home root
    make_home "$USER_NAME"
    chown -R "$USER_ID:$USER_ID" "$STATE/home/$USER_NAME"
    chmod 700 "$STATE/home/root"
}
