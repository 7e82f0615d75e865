import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Session } from '../../../src/api/inspections.js';
import type { ReportView } from '../../../src/api/reports.js';
import { get } from '../api/client.js';

const LOOK_MS = 1_500;

/** Loads the reports of a session, newest first, and polls for new ones. */
export function useReports(sessionId: string, session: Session | undefined) {
  const reports = useQuery({
    queryKey: ['reports', sessionId],
    queryFn: ({ signal }) => get<{ data: ReportView[] }>('pdf/reports', { query: { sessionId }, signal }),
    refetchInterval: ({ state }) =>
      state.status === 'success' && session && drawing(session, state.data?.data ?? []) ? LOOK_MS : false,
  });
  const { refetch } = reports;
  const before = useRef(session?.pending);
  useEffect(() => {
    if (before.current !== undefined && before.current !== session?.pending) void refetch();
    before.current = session?.pending;
  }, [session?.pending, refetch]);
  return reports;
}

/** Returns whether photographs are claimed by a report that is not listed yet. */
function drawing(session: Session, reports: readonly ReportView[]): boolean {
  const known = new Set(reports.map(({ id }) => id));
  return session.photographs.some(({ reportId }) => reportId !== null && !known.has(reportId));
}
