import { Module } from '@nestjs/common';
import { PictureWorkers } from './picture-workers.js';

/** The picture workers: one set of threads for photographs and logos. */
@Module({ providers: [PictureWorkers], exports: [PictureWorkers] })
export class PicturesModule {}
