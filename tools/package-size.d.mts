export declare const LARGEST_PACKAGE: number;
