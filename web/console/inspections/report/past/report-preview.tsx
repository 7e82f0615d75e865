import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { file, segment } from '../../../api/client.js';
import { Loading } from '../../../parts/waiting/loading.js';
import { Problem } from '../../../parts/waiting/problem.js';

/** Returns whether the browser can show a PDF inside a page. Phones cannot, or show only its first page. */
export const canPreview = (): boolean => navigator.pdfViewerEnabled && matchMedia('(width > 760px)').matches;

/** The pages of a report, in the browser's own viewer. */
export function ReportPreview({ id, filename }: { id: string; filename: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['report-file', id],
    queryFn: ({ signal }) => file(`pdf/reports/${segment(id)}/file`, { signal }),
    staleTime: Infinity,
    gcTime: 30_000,
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (url === undefined) return <Loading label="Loading the report" lines={8} />;
  return <iframe className="report-preview" src={url} title={`Preview of ${filename}`} />;
}
