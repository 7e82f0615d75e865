import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.js';
import { file } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { DownloadIcon } from '../../parts/icons.js';
import { toast } from '../../parts/overlay/toast.js';
import { saveFile } from '../../parts/values/save-file.js';
import type { ExecutionsSearch } from '../../search.js';

/** Saves the executions that match the filters, one JSON record per line. */
export function ExportButton({ search: { sort: _sort, ...filters } }: { search: ExecutionsSearch }) {
  const saving = useMutation({
    mutationFn: () => file('executions/export', { query: filters }),
    onSuccess: (lines) =>
      saveFile(lines, `executions-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.ndjson`),
    onError: (error) => toast(error instanceof ApiError ? error.message : 'The export failed. Try again.'),
  });
  return (
    <Button icon={<DownloadIcon />} isPending={saving.isPending} onPress={() => saving.mutate()}>
      {saving.isPending ? 'Exporting' : 'Export'}
    </Button>
  );
}
