"""The pure work of the stages, a batch at a time: functions of plain arguments for any process."""
