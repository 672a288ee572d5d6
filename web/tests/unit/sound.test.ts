import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { render, type Sound } from '../../src/lib/sound';

const SOUNDS: Sound[] = ['move', 'capture', 'castle', 'check', 'end', 'low', 'error'];

/** An audio context that records what is scheduled. */
class Desk {
  state = 'running';
  currentTime = 10;
  sampleRate = 1000;
  destination = { name: 'out' };
  resume = vi.fn(() => Promise.resolve());
  gains: { value: number }[] = [];
  starts: number[] = [];
  stops: number[] = [];
  reached: unknown[] = [];
  samples: Float32Array[] = [];

  #node<T extends object>(parts: T): T & { connect: (to: unknown) => unknown } {
    return { ...parts, connect: (to: unknown) => (this.reached.push(to), to) };
  }
  createGain() {
    const gain = { value: 1, setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
    this.gains.push(gain);
    return this.#node({ gain });
  }
  createOscillator() {
    return this.#node({
      frequency: { value: 0 },
      start: (at: number) => this.starts.push(at),
      stop: (at: number) => this.stops.push(at),
    });
  }
  createBufferSource() {
    return this.#node({ buffer: null, start: (at: number) => this.starts.push(at) });
  }
  createBiquadFilter() {
    return this.#node({ type: '', frequency: { value: 0 } });
  }
  createBuffer(_channels: number, frames: number) {
    const samples = new Float32Array(frames);
    this.samples.push(samples);
    return { getChannelData: () => samples };
  }
}

function rendered(sound: Sound, volume = 0.5): Desk {
  const desk = new Desk();
  render(desk as unknown as BaseAudioContext, sound, volume);
  return desk;
}

describe('a sound', () => {
  test.each(SOUNDS)('%s starts now, ends soon, and goes out at the volume that is set', (sound) => {
    const desk = rendered(sound, 0.3);
    expect(Math.min(...desk.starts)).toBe(10);
    expect(desk.stops.length).toBeGreaterThan(0);
    expect(Math.max(...desk.stops)).toBeLessThan(11);
    expect(desk.gains[0]?.value).toBe(0.3);
    expect(desk.reached.filter((to) => to === desk.destination)).toHaveLength(1);
  });

  test('can be told from the others', () => {
    const shapes = SOUNDS.map((sound) => {
      const { starts, stops } = rendered(sound);
      return JSON.stringify([starts, stops]);
    });
    expect(new Set(shapes).size).toBe(SOUNDS.length);
  });

  test('of a piece is a noise that fades and never clips', () => {
    const { samples } = rendered('capture');
    expect(samples).toHaveLength(2);
    for (const noise of samples) {
      expect(noise.some((sample) => sample !== 0)).toBe(true);
      expect(Math.max(...noise.map(Math.abs))).toBeLessThanOrEqual(1);
      expect(Math.abs(noise.at(-1) ?? 1)).toBeLessThan(0.001);
    }
  });
});

describe('the browser', () => {
  const desks: Desk[] = [];
  beforeEach(() => {
    desks.length = 0;
    vi.resetModules();
    vi.stubGlobal(
      'AudioContext',
      class extends Desk {
        constructor() {
          super();
          desks.push(this);
        }
      },
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** The module in its initial state. */
  async function first() {
    const { allowSound, play } = await import('../../src/lib/sound');
    const { settings } = await import('../../src/lib/settings.svelte');
    return { allowSound, play, settings };
  }

  test('plays nothing before the first gesture', async () => {
    const { play } = await first();
    play('move');
    expect(desks).toEqual([]);
  });

  test('has one context, however often it is allowed', async () => {
    const { allowSound, play } = await first();
    allowSound();
    allowSound();
    play('move');
    expect(desks).toHaveLength(1);
    expect(desks[0]?.starts).not.toEqual([]);
  });

  test('plays nothing when sounds are off, or while it is held back', async () => {
    const { allowSound, play, settings } = await first();
    allowSound();
    settings.sound = false;
    play('move');
    settings.sound = true;
    if (desks[0]) desks[0].state = 'suspended';
    play('move');
    expect(desks[0]?.starts).toEqual([]);
  });
});
