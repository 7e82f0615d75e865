import { useMutation } from '@tanstack/react-query';
import { FileTrigger } from 'react-aria-components';
import { post } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { ImageIcon } from '../../parts/icons.js';
import { Problem } from '../../parts/waiting/problem.js';

/** Uploads a logo and passes on its id. */
export function LogoField({
  name,
  isThere,
  onChange,
}: {
  name: string;
  isThere: boolean;
  onChange: (id: string, name: string) => void;
}) {
  const bringing = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.append('file', file, file.name);
      return post<{ id: string }>('assets', form);
    },
    onSuccess: ({ id }, file) => onChange(id, file.name),
  });
  return (
    <div className="report-logo">
      <span className="field-label">Logo on the cover</span>
      <div className="report-logo-row">
        <FileTrigger
          acceptedFileTypes={['image/*']}
          onSelect={(list) => {
            const file = list?.[0];
            if (file) bringing.mutate(file);
          }}
        >
          <Button icon={<ImageIcon />} isPending={bringing.isPending}>
            {isThere ? 'Choose another' : 'Choose a picture'}
          </Button>
        </FileTrigger>
        {isThere && (
          <>
            <span className="report-logo-name">{name}</span>
            <Button look="quiet" onPress={() => onChange('', '')}>
              Remove
            </Button>
          </>
        )}
      </div>
      {bringing.error && <Problem error={bringing.error} />}
    </div>
  );
}
