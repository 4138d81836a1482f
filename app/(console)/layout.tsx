import { LiveProvider } from '#components/live/live-provider.tsx';
import { Shell } from '#components/shell/shell.tsx';

/** Every signed-in page: live updates and the frame. */
export default function ConsoleLayout({ children }: { readonly children: React.ReactNode }) {
  return (
    <LiveProvider>
      <Shell>{children}</Shell>
    </LiveProvider>
  );
}
