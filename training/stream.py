"""Streams records to the device: from `riga lab stream`, from a file, or synthetic ones.

A thread for each source reads into pinned memory and copies from there to the GPU, several batches
ahead; the whole set is never in memory. Sources take turns batch by batch, so that the order is
the same in every run and a later run can skip what was seen.
"""

import fcntl
import os
import queue
import subprocess
import threading

import numpy as np
import torch

from records import SIZE, synthetic

PIPE = 1 << 20  # pipe buffer in bytes; the Linux default is 64 KiB
F_SETPIPE_SZ = 1031


class StreamError(Exception):
    """The source failed."""


class Riga:
    """`riga lab stream` behind a pipe."""

    def __init__(self, command):
        self.command = command
        try:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, bufsize=0)
        except OSError as error:
            raise StreamError(f"can't start {command[0]}: {error}") from error
        try:
            fcntl.fcntl(self.process.stdout, F_SETPIPE_SZ, PIPE)
        except OSError:
            print("can't enlarge the pipe buffer: reading will be slower", flush=True)

    def read_into(self, buffer):
        """Fills the buffer; returns fewer bytes only at the end."""
        done = 0
        while done < len(buffer):
            count = os.readv(self.process.stdout.fileno(), [buffer[done:]])
            if count == 0:
                if self.process.wait() != 0:
                    raise StreamError(f"{' '.join(self.command)} ended with status {self.process.returncode}")
                break
            done += count
        return done

    def stop(self):
        """Interrupts a read in another thread."""
        self.process.kill()
        self.process.wait()

    def close(self):
        self.stop()
        self.process.stdout.close()


class Records:
    """A record file, repeated, without its first part (for validation)."""

    def __init__(self, path, first, skip):
        self.file = open(path, "rb", buffering=0)
        self.first = first * SIZE
        self.end = os.path.getsize(path) // SIZE * SIZE
        if self.end <= self.first:
            raise StreamError(f"{path} has no records for training")
        self.at = self.first + skip * SIZE % (self.end - self.first)

    def read_into(self, buffer):
        done = 0
        while done < len(buffer):
            count = os.preadv(self.file.fileno(), [buffer[done : done + self.end - self.at]], self.at)
            done += count
            self.at += count
            if self.at >= self.end:
                self.at = self.first
        return done

    def stop(self):
        pass

    def close(self):
        self.file.close()


class Made:
    """Random records, the same few repeatedly: to measure the speed of the rest."""

    def __init__(self, seed=1, count=1 << 16):
        self.data = memoryview(synthetic(count, seed).view(np.uint8))
        self.at = 0

    def read_into(self, buffer):
        done = 0
        while done < len(buffer):
            part = self.data[self.at : self.at + len(buffer) - done]
            buffer[done : done + len(part)] = part
            done += len(part)
            self.at = (self.at + len(part)) % len(self.data)
        return done

    def stop(self):
        pass

    def close(self):
        pass


class _Slot:
    """A batch in pinned memory and on the device, and the events that signal when each is free."""

    def __init__(self, batch, device):
        cuda = device.type == "cuda"
        self.host = torch.empty(batch, SIZE, dtype=torch.uint8, pin_memory=cuda)
        self.bytes = memoryview(self.host.numpy()).cast("B")
        self.device = torch.empty_like(self.host, device=device) if cuda else self.host
        self.copied, self.used = (torch.cuda.Event(), torch.cuda.Event()) if cuda else (None, None)


class _Reader:
    """One source and its thread."""

    def __init__(self, source, batch, device, ahead):
        self.source, self.device = source, device
        self.free, self.ready = queue.Queue(), queue.Queue()
        for _ in range(ahead):
            self.free.put(_Slot(batch, device))
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        try:
            copies = torch.cuda.Stream() if self.device.type == "cuda" else None
            while (slot := self.free.get()) is not None:
                if copies:
                    slot.copied.synchronize()
                if self.source.read_into(slot.bytes) < len(slot.bytes):
                    self.ready.put(None)
                    return
                if copies:
                    with torch.cuda.stream(copies):
                        copies.wait_event(slot.used)
                        slot.device.copy_(slot.host, non_blocking=True)
                        slot.copied.record(copies)
                self.ready.put(slot)
        except BaseException as error:  # the main thread reports it
            self.ready.put(error)


class Batches:
    """Batches of all sources in turn, beginning with the one whose turn it is after `skip` batches."""

    def __init__(self, sources, batch, device, skip=0, ahead=8):
        self.readers = [_Reader(source, batch, device, ahead) for source in sources]
        self.turn = skip

    def copy_next(self, records):
        """Puts the next batch into a tensor, in the order of the GPU's work; False at the end."""
        reader = self.readers[self.turn % len(self.readers)]
        slot = reader.ready.get()
        if isinstance(slot, BaseException):
            raise slot
        if slot is None:
            return False
        self.turn += 1
        if slot.copied:
            torch.cuda.current_stream().wait_event(slot.copied)
        records.copy_(slot.device, non_blocking=True)
        if slot.used:
            slot.used.record()
        reader.free.put(slot)
        return True

    def close(self):
        for reader in self.readers:
            reader.free.put(None)
            reader.source.stop()
        for reader in self.readers:
            reader.thread.join()
            reader.source.close()


def turns(batches, sources, source):
    """How many of the first `batches` batches came from a source."""
    return batches // sources + (source < batches % sources)


def read_some(source, count):
    """Up to `count` records at once, as a tensor [records, 32]."""
    records = torch.empty(count, SIZE, dtype=torch.uint8)
    length = source.read_into(memoryview(records.numpy()).cast("B"))
    source.close()
    return records[: length // SIZE].clone()
