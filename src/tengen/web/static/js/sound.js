// The sound of a stone on wood, made here and now: two short tones that die away.
const TONES = [
  { frequency: 1250, volume: 0.18, seconds: 0.035 },
  { frequency: 390, volume: 0.4, seconds: 0.075 },
];
let context;

/** A stone is placed. Browsers let nothing sound before somebody has touched the page. */
export function knock() {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const { frequency, volume, seconds } of TONES) {
    const tone = new OscillatorNode(context, { frequency });
    const fading = new GainNode(context, { gain: volume });
    fading.gain.exponentialRampToValueAtTime(0.001, now + seconds);
    tone.connect(fading).connect(context.destination);
    tone.start(now);
    tone.stop(now + seconds);
  }
}
