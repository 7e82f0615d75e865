import { useEffect, useState } from 'react';
import { durationInWords } from '../parts/words.js';

/** The time since `since`, updated every second. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
  return <span className="duration">{seconds < 60 ? `${seconds} s` : durationInWords(seconds * 1_000)}</span>;
}
