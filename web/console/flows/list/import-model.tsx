import { useQuery } from '@tanstack/react-query';
import type { CredentialView } from '../../../../src/api/credentials.js';
import {
  MODEL_PROVIDER_IDS,
  MODEL_PROVIDERS,
  type ModelProvider,
} from '../../../../src/api/model-provider-terms.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import { Field } from '../../parts/entry/field.js';
import { type Option, Select } from '../../parts/entry/select.js';

/** The model that replaces those in the file; an empty provider keeps them. */
export interface ModelChoice {
  provider: ModelProvider | '';
  name: string;
  baseUrl: string;
  credentialId: string;
}

export const AS_IN_THE_FILE: ModelChoice = { provider: '', name: '', baseUrl: '', credentialId: '' };

/** Builds the member `models` of the body; `*` means every class of model. */
export const modelsOf = ({ provider, ...rest }: ModelChoice) =>
  provider === ''
    ? {}
    : {
        models: {
          '*': {
            provider,
            ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value.trim() !== '')),
          },
        },
      };

const PROVIDERS: readonly Option<ModelProvider | ''>[] = [
  { value: '', name: 'As in the file' },
  ...MODEL_PROVIDER_IDS.map((value) => ({ value, name: MODEL_PROVIDERS[value].label })),
];

/** Chooses the model for all nodes of the import. Exports never contain credentials. */
export function ImportModel({
  choice,
  onChange,
}: {
  choice: ModelChoice;
  onChange: (choice: ModelChoice) => void;
}) {
  const credentials = useQuery({
    queryKey: ['credentials'],
    queryFn: ({ signal }) => get<PageOf<CredentialView>>('credentials', { signal }),
  });
  const set = (more: Partial<ModelChoice>) => onChange({ ...choice, ...more });
  const needsAddress = choice.provider !== '' && MODEL_PROVIDERS[choice.provider].address === undefined;
  const keys = (credentials.data?.data ?? []).filter(({ kind }) => kind === 'api-key');
  return (
    <div className="import-fields">
      <Select
        label="Model"
        options={PROVIDERS}
        value={choice.provider}
        onChange={(provider) => set({ provider })}
      />
      {choice.provider !== '' && (
        <>
          <Field
            label="Model name"
            value={choice.name}
            onChange={(name) => set({ name })}
            isRequired
            maxLength={200}
          />
          <Select
            label="Credential"
            options={[{ value: '', name: 'None' }, ...keys.map(({ id, name }) => ({ value: id, name }))]}
            value={choice.credentialId}
            onChange={(credentialId) => set({ credentialId })}
          />
          <Field
            label="Address"
            hint={needsAddress ? 'For example https://host/v1' : 'Leave empty for the provider’s own.'}
            value={choice.baseUrl}
            onChange={(baseUrl) => set({ baseUrl })}
            isRequired={needsAddress}
            maxLength={2_000}
          />
        </>
      )}
    </div>
  );
}
