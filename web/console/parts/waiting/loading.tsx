import './loading.css';

/** A placeholder for content, shown only when the wait becomes noticeable. */
export function Loading({ label = 'Loading', lines = 4 }: { label?: string; lines?: number }) {
  return (
    <div className="loading" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="loading-line" />
      ))}
    </div>
  );
}
