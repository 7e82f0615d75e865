import { z } from 'zod';

export const warning = z
  .strictObject({
    code: z.string().describe('Stable, snake_case.'),
    message: z.string().describe('A whole sentence.'),
    path: z.string().exactOptional().describe('Its place in the request; for equal ones, the first.'),
    suggestion: z.string().exactOptional().describe('The nearest known name, if a name is unknown.'),
    count: z.int().exactOptional().describe('How often it occurred, if more than once.'),
  })
  .readonly()
  .meta({
    id: 'Warning',
    description: 'A fault that did not stop the call. Equal ones are listed once.',
  });
export type WarningView = z.infer<typeof warning>;
