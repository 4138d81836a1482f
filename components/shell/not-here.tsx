import { LinkButton } from '#components/ui/button.tsx';
import { PaletteKeys } from '#components/ui/mod-key.tsx';
import { Sentence } from '#components/ui/sentence.tsx';

/** A page that is not there. */
export function NotHere() {
  return (
    <div className="grid justify-items-start gap-4 py-8">
      <h1 className="font-semibold text-title">Nothing is at this address</h1>
      <Sentence size="prose">
        It may have been removed, or the link is cut short. Search by name with <PaletteKeys />.
      </Sentence>
      <LinkButton href="/">Go to Home</LinkButton>
    </div>
  );
}
