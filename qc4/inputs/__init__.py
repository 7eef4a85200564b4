"""What measures receive of a case: partitions, covers, the ranked list, points; and the policies that decide it."""
