import { type DragEvent, useState } from 'react';
import { FileTrigger, Form } from 'react-aria-components';
import { ApiError } from '../../api/api-error.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { AlertIcon, CloseIcon, UploadIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import './add-documents.css';
import { type Adding, useAdding } from './use-adding.js';

const KINDS = ['.txt', '.md', '.html', '.htm', '.pdf', '.docx', '.csv', '.tsv', 'text/*'];

/** Adds files, chosen or dropped, and web addresses. */
export function AddDocuments({ storeId }: { storeId: string }) {
  const adding = useAdding(storeId);
  const [over, setOver] = useState(false);
  const add = (files: readonly File[]) => {
    if (files.length > 0) void adding.add(files);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') add([...event.dataTransfer.files]);
  };
  return (
    <div
      className={over ? 'documents-add documents-add-over' : 'documents-add'}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={drag}
    >
      <div className="documents-files">
        <FileTrigger acceptedFileTypes={KINDS} allowsMultiple onSelect={(list) => add([...(list ?? [])])}>
          <Button look="primary" icon={<UploadIcon />}>
            Choose files
          </Button>
        </FileTrigger>
        <span className="documents-hint">or drop them here: text, Markdown, HTML, PDF, DOCX, CSV.</span>
      </div>
      <AddressForm adding={adding} />
      <Sending adding={adding} />
    </div>
  );
}

function AddressForm({ adding }: { adding: Adding }) {
  const [url, setUrl] = useState('');
  const [fault, setFault] = useState('');
  const send = async () => {
    const address = url.trim();
    if (!/^https?:\/\/./i.test(address))
      return setFault('Enter an address that starts with https:// or http://.');
    setFault('');
    if (await adding.add([address])) setUrl((now) => (now.trim() === address ? '' : now));
  };
  return (
    <Form
      className="documents-address"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field
        label="Address of a web page or file"
        inputMode="url"
        autoComplete="off"
        value={url}
        onChange={setUrl}
        fault={fault}
        placeholder="https://www.example.com/manuals/boiler.pdf"
      />
      <Button type="submit">Fetch</Button>
    </Form>
  );
}

function Sending({ adding: { sending, refused, forget } }: { adding: Adding }) {
  return (
    <>
      <p className="documents-sending" role="status">
        {sending && (
          <>
            Sending <bdi>{sending.name}</bdi>
            {sending.waiting > 0 && `, ${counted(sending.waiting, 'more file')} after it`}
          </>
        )}
      </p>
      {refused.length > 0 && (
        <div className="documents-refused" role="alert">
          <ul>
            {refused.map(({ name, error }, index) => (
              <li key={index}>
                <AlertIcon />
                <span>
                  <b>
                    <bdi>{name}</bdi>
                  </b>
                  : {sentenceOf(error)}
                </span>
              </li>
            ))}
          </ul>
          <Button look="quiet" small label="Dismiss" icon={<CloseIcon />} onPress={forget} />
        </div>
      )}
    </>
  );
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The file can no longer be read. Choose it again.';
  if (error.status === 0)
    return 'There was no answer. It may have been added: look for it in the list first.';
  const fault = error.errors[0];
  return fault ? `${fault.path} ${fault.message}` : error.message;
}
