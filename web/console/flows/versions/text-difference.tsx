import { useEffect, useRef } from 'react';
import { openDifference } from '../editor/open-difference.js';

/** The text of a definition, with what has changed in an earlier one. */
export default function TextDifference({
  label,
  before,
  after,
}: {
  label: string;
  before: string;
  after: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => openDifference(place.current!, label, before, after), [label, before, after]);
  return <div ref={place} className="json-editor" />;
}
