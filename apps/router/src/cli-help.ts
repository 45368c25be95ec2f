export const SECRET_VARIABLE = 'HIGHLINE_ROUTER_SECRET';

const COMMON_HELP = `  --server <url>        address of the cloud, ws://host:port or wss://host  (required)
  --controller <id>     endpoint id of the cloud  (default self::highline)
  --state-dir <folder>  where state outlives the process; without it every start is the first one
  --control <port>      serve control commands on 127.0.0.1:<port>, 0 for a free port
  --exit-with-stdin     end when standard input ends, so that no router outlives its parent process
  --trusted-keys <pem>  firmware must be signed by one of these public keys; without them only its SHA-256 is checked
  --call-home-seconds <n>  how long new firmware, a new config file or an eSIM profile may take to reach the cloud  (default 120)
  --shell <program>     shell for SSH sign-ins, e.g. '/bin/sh -i', with all rights of this program; without it
                        the router's own small command line, which cannot reach this machine
  --lan <interface>     network interface of this machine as the vehicle's network: clients are the hosts in it, and remote
                        sessions reach them (Linux); without it the network is simulated
  --kill-at-write <n>   for tests: end like a power cut before the n-th write of state
  --help                this text`;

export const HELP = `Usage: router agent [options]    one router
       router fleet [options]    many routers in one process
       router <command> --help`;

const ESIM_HELP = `
eSIM profiles need no operator: they are derived from their activation codes. A part of the matching id (between dashes) that begins
with one of these keywords makes the profile faulty, e.g. LPA:1$smdp.example$NOCONN-1:
  FAIL          it cannot be downloaded
  UNREACHABLE   its operator's server is not found
  MISMATCH      its ICCID differs from the ordered one
  NOCONN        it installs, but no network accepts it: enabling it falls back to the previous one
  SLOW          its download takes six times as long
  BIG           it downloads, and is larger than the memory that is left
A router holds four profiles, including the preloaded one. With an empty --eid (or "eid": "") its SIM is a card without profiles.`;

export const AGENT_HELP = `Usage: router agent --server <url> --serial <number> --mac <address> --model <name> [options]

One router on simulated hardware. Its secret comes from the environment variable ${SECRET_VARIABLE}; --secret works too, but
other users of the machine can read arguments.

  --serial, --mac, --model, --firmware, --config, --vehicle   identity, firmware, config and vehicle
  --client-cert <pem>, --client-key <pem>                     its client certificate, over wss://; without a secret it connects to /usp
  --carrier, --apn, --imei, --imsi, --iccid, --msisdn, --eid  its modem and SIM; derived from the serial when left out
  --clock-skew-seconds <n>                                    how far its clock is ahead
${COMMON_HELP}

While it runs, standard input takes: help, status, power-cut <ms>, park <ms>, lost-coverage <ms>, lost-network <ms>,
slow-link <ms>, bad-flash <ms>, battery <percent>, thermal <celsius>, break <part>, repair <part>,
switch <setting> <on|off>, change-password, factory-reset, reboot.
${ESIM_HELP}`;

export const FLEET_HELP = `Usage: router fleet --server <url> --file <fleet.json> [options]

Many routers in one process. The file is a JSON array; an entry has serial, mac, secret and model, and may have clientCert and clientKey (PEM files), firmware, config,
carrier, apn, imei, imsi, iccid, msisdn, eid, vehicle, home [latitude, longitude], route, gnssOff, fixSeconds, clockSkewSeconds and
flaky {offEverySeconds, offSeconds}.

  --file <fleet.json>   the routers  (required)
  --ramp-ms <ms>        switch them on one after another over this time
${COMMON_HELP}

While it runs, standard input takes: help, status [serial], power-cut <ms> [serial], park <ms> [serial], lost-coverage <ms> [serial],
lost-network <ms> [serial], slow-link <ms> [serial], bad-flash <ms> [serial], battery <percent> [serial], thermal <celsius> [serial],
break <part> [serial], repair <part> [serial], switch <setting> <on|off> [serial], change-password [serial], factory-reset [serial], reboot [serial].
${ESIM_HELP}`;
