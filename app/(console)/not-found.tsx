import { NotHere } from '#components/shell/not-here.tsx';

export default function NotFound() {
  return <NotHere />;
}
