import { NotHere } from '#components/shell/not-here.tsx';

export default function NotFound() {
  return (
    <main className="mx-auto max-w-2xl px-4">
      <NotHere />
    </main>
  );
}
