import { memo } from 'react';

/** Text for screen readers alone. Drawn only when it changes, since a drawn text is announced again. */
export const Announcement = memo(function Announcement({ text }: { text: string }) {
  return (
    <p className="hidden" role="status">
      {text}
    </p>
  );
});
