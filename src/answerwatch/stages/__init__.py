"""What is done to answers, stage by stage; stages hand over through stored rows and never call each other."""
