import { useMutation } from '@tanstack/react-query';
import { file, segment } from '../../../api/client.js';
import { Button } from '../../../parts/actions/button.js';
import { DownloadIcon } from '../../../parts/icons.js';
import { saveFile } from '../../../parts/values/save-file.js';
import { Problem } from '../../../parts/waiting/problem.js';

/** Downloads a report under its file name. */
export function SaveReport({
  id,
  filename,
  small = false,
}: {
  id: string;
  filename: string;
  small?: boolean;
}) {
  const saving = useMutation({
    mutationFn: async () => saveFile(await file(`pdf/reports/${segment(id)}/file`), filename),
  });
  return (
    <>
      <Button
        small={small}
        icon={<DownloadIcon />}
        isPending={saving.isPending}
        onPress={() => saving.mutate()}
        aria-label={`Download ${filename}`}
      >
        Download
      </Button>
      {saving.error && <Problem error={saving.error} />}
    </>
  );
}
