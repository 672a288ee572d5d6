// Sounds, synthesised in the browser: no files, no licences.

import { settings } from './settings.svelte';

export type Sound = 'move' | 'capture' | 'castle' | 'check' | 'end' | 'low' | 'error';

let context: AudioContext | undefined;

/** Browsers allow no sound before the first user gesture. */
export function allowSound(): void {
  context ??= new AudioContext();
  void context.resume();
}

/** The sound of a move. */
export function kindOf(san: string): Sound {
  if (/[+#]$/.test(san)) return 'check';
  if (san.startsWith('O-O')) return 'castle';
  return san.includes('x') ? 'capture' : 'move';
}

export function play(sound: Sound): void {
  if (settings.sound && context?.state === 'running') {
    render(context, sound, settings.volume);
  }
}

interface Knock {
  at: number;
  frequency: number;
  length: number;
  noise: number;
  gain: number;
}

/** A piece on wood: a short burst of noise and a low tone. */
const KNOCKS: Record<Exclude<Sound, 'check' | 'end' | 'low' | 'error'>, Knock[]> = {
  move: [{ at: 0, frequency: 190, length: 0.07, noise: 0.5, gain: 0.8 }],
  capture: [
    { at: 0, frequency: 240, length: 0.05, noise: 0.9, gain: 0.9 },
    { at: 0.045, frequency: 160, length: 0.08, noise: 0.6, gain: 0.9 },
  ],
  castle: [
    { at: 0, frequency: 190, length: 0.06, noise: 0.5, gain: 0.8 },
    { at: 0.13, frequency: 170, length: 0.07, noise: 0.5, gain: 0.8 },
  ],
};

const TONES: Record<'check' | 'end' | 'low' | 'error', { at: number; frequency: number; length: number }[]> = {
  check: [
    { at: 0, frequency: 660, length: 0.09 },
    { at: 0.08, frequency: 880, length: 0.12 },
  ],
  end: [
    { at: 0, frequency: 523, length: 0.22 },
    { at: 0.16, frequency: 659, length: 0.22 },
    { at: 0.32, frequency: 784, length: 0.45 },
  ],
  low: [
    { at: 0, frequency: 1000, length: 0.05 },
    { at: 0.1, frequency: 1000, length: 0.05 },
  ],
  error: [{ at: 0, frequency: 140, length: 0.15 }],
};

/** Schedules a sound in a context; tests use an offline one. */
export function render(audio: BaseAudioContext, sound: Sound, volume: number): void {
  const out = audio.createGain();
  out.gain.value = volume;
  out.connect(audio.destination);
  if (sound in KNOCKS) {
    for (const knock of KNOCKS[sound as keyof typeof KNOCKS]) addKnock(audio, out, knock);
  } else {
    for (const { at, frequency, length } of TONES[sound as keyof typeof TONES]) {
      addTone(audio, out, audio.currentTime + at, frequency, length, 0.25);
    }
  }
}

function addTone(audio: BaseAudioContext, out: AudioNode, at: number, frequency: number, length: number, gain: number) {
  const tone = audio.createOscillator();
  const envelope = audio.createGain();
  tone.frequency.value = frequency;
  envelope.gain.setValueAtTime(0, at);
  envelope.gain.linearRampToValueAtTime(gain, at + 0.004);
  envelope.gain.exponentialRampToValueAtTime(0.0005, at + length);
  tone.connect(envelope).connect(out);
  tone.start(at);
  tone.stop(at + length);
}

function addKnock(audio: BaseAudioContext, out: AudioNode, knock: Knock) {
  const at = audio.currentTime + knock.at;
  addTone(audio, out, at, knock.frequency, knock.length, knock.gain * 0.6);
  const frames = Math.ceil(audio.sampleRate * knock.length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) {
    samples[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 6;
  }
  const noise = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  noise.buffer = buffer;
  filter.type = 'lowpass';
  filter.frequency.value = 2400;
  gain.gain.value = knock.noise * knock.gain;
  noise.connect(filter).connect(gain).connect(out);
  noise.start(at);
}
