import { type HeatCell, type HeatGrid, heatStep } from './heat-grid.ts';
import { type Span, shareOf } from './time-axis.ts';

export interface HeatColours {
  /** Seven, from few to many. */
  readonly steps: readonly string[];
  readonly hatch: string;
  readonly ground: string;
  readonly cursor: string;
}

interface HeatPicture {
  readonly grid: HeatGrid;
  readonly gaps: readonly Span[];
  readonly colours: HeatColours;
  readonly cursor: HeatCell | undefined;
}

/** Draws the grid in CSS pixels at the device's resolution. Cells are far too many for elements of their own. */
export function drawHeat(
  canvas: HTMLCanvasElement,
  size: { readonly width: number; readonly height: number },
  picture: HeatPicture,
): void {
  const ratio = window.devicePixelRatio;
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, size.width, size.height);
  drawGaps(pen, size, picture);
  const cellWidth = size.width / picture.grid.columns;
  const cellHeight = size.height / picture.grid.rows;
  const gapX = cellWidth >= 4 ? 1 : 0;
  const gapY = cellHeight >= 4 ? 1 : 0;
  for (const [column, row, requests] of picture.grid.cells) {
    pen.fillStyle = picture.colours.steps[heatStep(requests, picture.grid.most) - 1] ?? picture.colours.cursor;
    const top = size.height - (row + 1) * cellHeight;
    pen.fillRect(column * cellWidth, top, Math.max(1, cellWidth - gapX), Math.max(1, cellHeight - gapY));
  }
  if (picture.cursor !== undefined) {
    pen.strokeStyle = picture.colours.cursor;
    pen.lineWidth = 2;
    const top = size.height - (picture.cursor.row + 1) * cellHeight;
    pen.strokeRect(picture.cursor.column * cellWidth - 1, top - 1, cellWidth + 1, cellHeight + 1);
  }
}

function drawGaps(
  pen: CanvasRenderingContext2D,
  { width, height }: { readonly width: number; readonly height: number },
  { grid, gaps, colours }: HeatPicture,
): void {
  const span = { fromMs: grid.startMs, toMs: grid.startMs + grid.columns * grid.columnMs };
  for (const gap of gaps) {
    const left = Math.max(0, shareOf(gap.fromMs, span)) * width;
    const right = Math.min(1, shareOf(gap.toMs, span)) * width;
    if (right <= left) continue;
    pen.save();
    pen.beginPath();
    pen.rect(left, 0, Math.max(2, right - left), height);
    pen.clip();
    pen.fillStyle = colours.ground;
    pen.fillRect(left, 0, right - left, height);
    pen.strokeStyle = colours.hatch;
    pen.lineWidth = 1;
    for (let x = left - height; x < right; x += 6) {
      pen.beginPath();
      pen.moveTo(x, height);
      pen.lineTo(x + height, 0);
      pen.stroke();
    }
    pen.restore();
  }
}
