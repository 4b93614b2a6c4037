package lifecycle

// TwoStage is the canonical life of a row: trash first, with a way back, then
// the purge, then the bytes.
var TwoStage = MustMachine(Spec{
	Name:    "two-stage",
	Initial: Active,
	Gone:    []State{Purged, Reclaimed},
	Final:   []State{Reclaimed},
	Edges: []Edge{
		{
			Name: Trash, From: []State{Active}, To: Trashed,
			Repeat: []State{Trashed},
			Needs:  NoLiveChildren,
			Sets:   []Field{FieldDeletedAt, FieldDeletedBy, FieldPurgeAfter, FieldOperation},
		},
		{
			Name: Restore, From: []State{Trashed}, To: Active,
			Repeat: []State{Active},
			Needs:  WindowOpen | ParentsLive,
			Clears: []Field{FieldDeletedAt, FieldDeletedBy, FieldPurgeAfter, FieldOperation},
		},
		{
			Name: Purge, From: []State{Trashed}, To: Purged,
			Repeat: []State{Purged, Reclaimed},
			Needs:  NotHeld,
			Sets:   []Field{FieldIsDeleted},
		},
		{
			Name: Expire, From: []State{Trashed}, To: Purged,
			Repeat: []State{Purged, Reclaimed},
			Needs:  NotHeld | WindowClosed,
			Sets:   []Field{FieldIsDeleted},
		},
		{
			Name: Reclaim, From: []State{Purged}, To: Reclaimed,
			Repeat: []State{Reclaimed},
			Needs:  NotHeld,
			Sets:   []Field{FieldReclaimedAt},
		},
	},
})

// Token is the life of a refresh token or a session: revoked first, so that a
// mistake can be undone for a day, deleted later. Policy.Window is the time
// between the two.
var Token = MustMachine(Spec{
	Name:    "token",
	Initial: Active,
	Gone:    []State{"deleted"},
	Final:   []State{"deleted"},
	Edges: []Edge{
		{
			Name: "revoke", From: []State{Active}, To: "revoked",
			Repeat: []State{"revoked"},
			Sets:   []Field{FieldDeletedAt, FieldDeletedBy, FieldPurgeAfter, FieldOperation},
		},
		{
			Name: "reinstate", From: []State{"revoked"}, To: Active,
			Repeat: []State{Active},
			Needs:  WindowOpen,
			Clears: []Field{FieldDeletedAt, FieldDeletedBy, FieldPurgeAfter, FieldOperation},
		},
		{
			Name: "delete", From: []State{"revoked"}, To: "deleted",
			Repeat: []State{"deleted"},
			Needs:  WindowClosed | NotHeld,
		},
	},
})

// File is the life of an uploaded file. A user's deletion and an expiry take
// the same edge, whatever the file was doing; the bytes go between deleting and
// deleted.
var File = MustMachine(Spec{
	Name:    "file",
	Initial: "pending",
	Gone:    []State{"deleting", "deleted"},
	Final:   []State{"deleted"},
	Edges: []Edge{
		{Name: "confirm", From: []State{"pending"}, To: "queued", Repeat: []State{"queued"}, Sets: []Field{FieldStatus}},
		{Name: "start", From: []State{"queued"}, To: "processing", Sets: []Field{FieldStatus}},
		{Name: "requeue", From: []State{"processing"}, To: "queued", Repeat: []State{"queued"}, Sets: []Field{FieldStatus}},
		{Name: "accept", From: []State{"processing"}, To: "ready", Repeat: []State{"ready"}, Sets: []Field{FieldStatus}},
		{Name: "reject", From: []State{"processing"}, To: "rejected", Repeat: []State{"rejected"}, Sets: []Field{FieldStatus}},
		{
			Name:   "delete",
			From:   []State{"pending", "queued", "processing", "ready", "rejected"},
			To:     "deleting",
			Repeat: []State{"deleting", "deleted"},
			Needs:  NotHeld,
			Sets:   []Field{FieldStatus, FieldDeletedAt, FieldDeletedBy, FieldOperation},
		},
		{
			Name: "finish", From: []State{"deleting"}, To: "deleted",
			Repeat: []State{"deleted"},
			Needs:  NotHeld,
			Sets:   []Field{FieldStatus, FieldReclaimedAt},
		},
	},
})
