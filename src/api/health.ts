import { z } from 'zod';

export const health = z.strictObject({ status: z.enum(['live', 'ready']) }).meta({ id: 'Health' });
export type Health = z.infer<typeof health>;
