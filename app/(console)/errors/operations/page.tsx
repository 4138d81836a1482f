import { redirect } from 'next/navigation';

/** The operations stand on the page above, beside the codes. */
export default function OperationsPage() {
  redirect('/errors');
}
