/** Colour arithmetic for the contrast test: OKLCH to sRGB, WCAG contrast, CIEDE2000, and Machado's colour blindness. */

export interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

export type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

/** Linear-light sRGB, clipped to the gamut as screens do (Ottosson, https://bottosson.github.io/posts/oklab/). */
export function toLinearRgb({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return clip([
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]);
}

/** WCAG 2 contrast of two colours. */
export function contrast(a: Oklch, b: Oklch): number {
  const [high, low] = [luminance(toLinearRgb(a)), luminance(toLinearRgb(b))].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Machado, Oliveira and Fernandes 2009, severity 1, applied to linear light. */
export const VISION = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Record<string, Matrix>;

/** CIEDE2000 difference of two colours as someone with this vision sees them. */
export function difference(a: Oklch, b: Oklch, vision: keyof typeof VISION = 'normal'): number {
  const see = (colour: Oklch) => toLab(clip(multiply(VISION[vision], toLinearRgb(colour))));
  return ciede2000(see(a), see(b));
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function clip(rgb: Rgb): Rgb {
  return rgb.map((value) => Math.min(1, Math.max(0, value))) as unknown as Rgb;
}

function multiply(matrix: Matrix, [x, y, z]: Rgb): Rgb {
  return matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Rgb;
}

/** CIELAB under D65. */
function toLab(rgb: Rgb): Rgb {
  const [x, y, z] = multiply(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    rgb,
  );
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** Sharma, Wu and Dalal 2005, with all weights 1. */
function ciede2000([l1, a1, b1]: Rgb, [l2, a2, b2]: Rgb): number {
  const rad = Math.PI / 180;
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)));
  const [c1, c2] = [Math.hypot((1 + g) * a1, b1), Math.hypot((1 + g) * a2, b2)];
  const hue = (a: number, b: number) => (a === 0 && b === 0 ? 0 : (Math.atan2(b, (1 + g) * a) / rad + 360) % 360);
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const apart = Math.abs(h1 - h2) > 180;
  const dh = c1 * c2 === 0 ? 0 : apart ? h2 - h1 + (h2 <= h1 ? 360 : -360) : h2 - h1;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((dh / 2) * rad);
  const h = c1 * c2 === 0 ? h1 + h2 : apart ? (h1 + h2 + (h1 + h2 < 360 ? 360 : -360)) / 2 : (h1 + h2) / 2;
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const t =
    1 -
    0.17 * Math.cos((h - 30) * rad) +
    0.24 * Math.cos(2 * h * rad) +
    0.32 * Math.cos((3 * h + 6) * rad) -
    0.2 * Math.cos((4 * h - 63) * rad);
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const [sc, sh] = [1 + 0.045 * c, 1 + 0.015 * c * t];
  const rt = -Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * rad) * 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const [tl, tc, th] = [(l2 - l1) / sl, (c2 - c1) / sc, dH / sh];
  return Math.sqrt(tl ** 2 + tc ** 2 + th ** 2 + rt * tc * th);
}
