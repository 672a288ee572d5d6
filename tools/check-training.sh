#!/bin/sh
# The records of `riga lab stream` must match the positions of `riga lab datagen`.
# Usage: tools/check-training.sh RIGA. NumPy goes to target/python unless Python has it.
set -eu
riga=$1
if ! command -v python3 >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update && apt-get install -y python3 python3-numpy
  else
    echo "Python is missing. Type: sudo apt-get install python3 python3-numpy"
    exit 1
  fi
fi
export PYTHONPATH="target/python${PYTHONPATH:+:$PYTHONPATH}"
export PYTHONDONTWRITEBYTECODE=1
if ! python3 -c 'import numpy' 2>/dev/null; then
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
    --target target/python 'numpy>=1.26' ||
    { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null &&
      apt-get update && apt-get install -y python3-numpy; } ||
    { echo "NumPy is missing. Type: sudo apt-get install python3-numpy"; exit 1; }
fi
python3 -m py_compile training/*.py
python3 training/test_data.py "$riga"
python3 training/test_training.py
python3 training/test_selfplay.py "$riga"
