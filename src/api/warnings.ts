import { z } from 'zod';

export const warning = z
  .strictObject({
    code: z.string().describe('Stable, snake_case.'),
    message: z.string().describe('A whole sentence.'),
    path: z.string().exactOptional().describe('Its place in what was sent; of equal ones the first.'),
    suggestion: z.string().exactOptional().describe('The nearest known name, where one was not understood.'),
    count: z.int().exactOptional().describe('How often it was met, where more than once.'),
  })
  .readonly()
  .meta({
    id: 'Warning',
    description: 'Something worth knowing of a call that succeeded. Equal ones are listed once.',
  });
export type WarningView = z.infer<typeof warning>;
