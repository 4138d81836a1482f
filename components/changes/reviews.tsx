import { Section } from '#components/ui/section.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';

/** Reviews given so far, with their comments; one that an edit voided says so. */
export function Reviews({ reviews }: { readonly reviews: ChangeDetail['reviews'] }) {
  if (reviews.length === 0) return null;
  return (
    <Section title="Reviews">
      <ul className="divide-y divide-line border-line border-y">
        {reviews.map((review) => (
          <li key={`${review.atMs} ${review.reviewer.id}`} className="grid gap-1 py-2">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <StateWord
                mark={review.voided ? 'dashed' : review.verdict === 'approved' ? 'check' : 'triangle'}
                tone={review.voided ? 'neutral' : review.verdict === 'approved' ? 'ok' : 'warn'}
              >
                {verdictWords(review)}
              </StateWord>
              <span>{review.reviewer.name}</span>
              <Time ms={review.atMs} style="second" className="text-ink-3 text-meta" />
            </p>
            {review.comment !== '' && <p className="text-ink-2">“{review.comment}”</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function verdictWords({ verdict, self, voided }: ChangeDetail['reviews'][number]): string {
  const words = verdict === 'needs work' ? 'Needs work' : self ? 'Self-approved' : 'Approved';
  return voided ? `${words}, voided by a later edit` : words;
}
