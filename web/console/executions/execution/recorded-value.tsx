import { ValueView } from '../../parts/values/value-view.js';
import { bytesInWords } from '../../parts/words.js';

/** A recorded value. For a large one, only its beginning and its full size are recorded. */
export function RecordedValue({ value, label }: { value: unknown; label: string }) {
  const cut = cutOf(value);
  if (!cut) return <ValueView value={value} label={label} />;
  return (
    <>
      <p className="node-cut">
        Only the beginning was recorded. The full value was at least {bytesInWords(cut.size)}.
      </p>
      <ValueView value={cut.preview} label={label} />
    </>
  );
}

function cutOf(value: unknown): { size: number; preview: string } | undefined {
  if (typeof value !== 'object' || value === null || !('truncated' in value) || value.truncated !== true)
    return undefined;
  const { size, preview } = value as { size?: unknown; preview?: unknown };
  return typeof size === 'number' && typeof preview === 'string' ? { size, preview } : undefined;
}
