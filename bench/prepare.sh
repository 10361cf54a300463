# Sourced by the scripts beside it: installs what is missing from Debian's packages and chooses the Python that has them.
bench=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
packages=(liblinear-tools python3-numpy python3-scipy python3-sklearn python3-matplotlib libopenblas0-pthread time
    r-base-core r-cran-glmnet r-cran-quantreg r-cran-conquer python3-statsmodels)

install_packages() {
    local missing=() package as_root=()
    command -v dpkg-query >/dev/null || return 0
    for package in "${packages[@]}"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
    echo "installing ${missing[*]}" >&2
    local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends)
    "${install[@]}" "${missing[@]}" >/dev/null </dev/null && return 0
    "${as_root[@]}" apt-get update -q >/dev/null </dev/null
    for package in "${missing[@]}"; do
        "${install[@]}" "$package" >/dev/null </dev/null ||
            echo "cannot install $package; what needs it will be missing from the tables" >&2
    done
}

choose_python() {
    for python in /usr/bin/python3 python3; do
        "$python" -c 'import numpy, scipy' 2>/dev/null && return 0
    done
    echo "no python3 with numpy and scipy found; install python3-numpy and python3-scipy" >&2
    exit 1
}
