import type { ReactNode } from 'react';
import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
  type TextFieldProps,
} from 'react-aria-components';
import './field.css';

interface FieldProps extends Omit<TextFieldProps, 'children' | 'className' | 'isInvalid' | 'style'> {
  label: string;
  /** The fault of the input; empty for none. */
  fault?: string | undefined;
  hint?: ReactNode;
  placeholder?: string;
  /** The height of a multi-line field. */
  rows?: number;
}

/** A labelled field with its fault below. */
export function Field({ label, fault = '', hint, placeholder, rows, ...rest }: FieldProps) {
  const given = placeholder === undefined ? {} : { placeholder };
  return (
    <TextField {...rest} isInvalid={fault !== ''} validationBehavior="aria" className="field">
      <Label className="field-label">{label}</Label>
      {rows === undefined ? (
        <Input {...given} className="field-input" />
      ) : (
        <TextArea {...given} rows={rows} className="field-input" />
      )}
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-fault">{fault}</FieldError>
    </TextField>
  );
}

/** The fault of a group of fields, below them. */
export const GroupFault = ({ fault }: { fault: string | undefined }) =>
  fault === undefined ? null : (
    <p className="field-fault" role="alert">
      {fault}
    </p>
  );
