import { Ruled } from '#components/ui/ruled.tsx';
import { HALF_PX, LINES_PX } from './figure-sizes.ts';

/** The boxes that the figures will fill, at their final size. */
export function FiguresShape() {
  return (
    <div role="status" aria-label="Loading latency">
      <Ruled columns={2}>
        <Box heightPx={LINES_PX} className="desk:col-span-2" />
        <Box heightPx={HALF_PX} />
        <Box heightPx={HALF_PX} />
      </Ruled>
    </div>
  );
}

function Box({ heightPx, className }: { readonly heightPx: number; readonly className?: string }) {
  return (
    <div className={className}>
      <div className="flex h-[2.1875rem] items-end px-4 pb-2">
        <div className="h-2.5 w-48 rounded-cell bg-sunken" />
      </div>
      <div style={{ height: heightPx }} />
    </div>
  );
}
