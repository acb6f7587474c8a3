#!/usr/bin/env bash
# Starts the servers that tests and benchmarks use, at their standard ports: those that are installed from Debian's or
# Ubuntu's packages and do not run yet. What is not installed is said and left out; its tests are skipped, or fail under CI.
set -euo pipefail

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

start() {  # name, port, command of the server, how it is started
  local name=$1 port=$2 command=$3
  shift 3
  if listens "$port"; then
    return
  fi
  if ! command -v "$command" >/dev/null; then
    printf '%s is not installed\n' "$name"
    return
  fi
  "$@" >/dev/null 2>&1 || printf '%s could not be started: %s\n' "$name" "$*"
  for _ in {1..300}; do
    if listens "$port"; then
      printf '%s was started\n' "$name"
      return
    fi
    sleep 0.1
  done
  printf '%s does not listen on port %s\n' "$name" "$port"
}

postgres() {
  pg_ctlcluster --skip-systemctl-redirect "$(find /etc/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -V | tail -1)" main start
}

start PostgreSQL 5432 pg_ctlcluster postgres
start MariaDB 3306 mariadbd start-stop-daemon --start --oknodo --background --exec /usr/sbin/mariadbd
start Redis 6379 redis-server redis-server --daemonize yes --bind 127.0.0.1 --port 6379 --save '' --appendonly no
start RabbitMQ 5672 rabbitmq-server rabbitmq-server -detached
