import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Page } from './parts/page.js';
import { Problem } from './parts/waiting/problem.js';

/** Shown instead of a page that failed or whose script did not arrive. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="This page cannot be shown">
      <Problem error={error} onRetry={again} />
    </Page>
  );
}
